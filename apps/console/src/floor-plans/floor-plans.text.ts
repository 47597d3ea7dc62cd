export const floorPlans = {
  title: 'Floor plans',
  one: 'Floor plan',
  add: 'Add floor plan',
  name: 'Name',
  nameHint: 'The name of the floor, such as Ground floor.',
  site: 'Site',
  placements: 'Doors and controllers',
  image: 'Image',
  empty: 'No floor plans yet',
  emptyHint: 'A floor plan shows the doors of this site at their places, with their current states.',
  rename: 'Rename or delete',
  edit: 'Edit plan',
  editing: 'Edit {{name}}',
  editHint:
    'Drag doors and controllers onto the plan, or place them and move them with the arrow keys. With Shift, each step is smaller.',
  deleteHint: 'Undo restores the plan without its image.',
  list: 'Doors and controllers on {{name}}',
  nothingPlaced: 'No doors on this plan yet',
  noImage: 'No image yet',
  imageHint: 'PNG, JPEG or WebP of at most 8 MB.',
  unusableImage: 'This file cannot be used. Choose a PNG, JPEG or WebP image of at most 8 MB and 25 megapixels.',
  broken: 'The image cannot be shown.',
  addImage: 'Add image',
  replaceImage: 'Replace image',
  enlarge: 'Zoom in',
  reduce: 'Zoom out',
  fit: 'Fit to screen',
  find: 'Find a door or controller',
  place: 'Place {{name}}',
  placeShort: 'Place',
  remove: 'Remove {{name}} from the plan',
  removeShort: 'Remove',
  move: 'Move {{name}}',
  placeOf: '{{name}}: {{x, number}} % from the left, {{y, number}} % from the top',
  conflict: 'Another user has changed this plan.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    floorPlans: typeof floorPlans
  }
}
