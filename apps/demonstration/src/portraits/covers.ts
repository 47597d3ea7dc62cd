/** What is worn on the head. `hides`: how much of the hair can't be seen under it. */
export type Cover = {
  name: string
  hides: 'nothing' | 'top' | 'everything'
  back: string
  front: string
  shine?: string
}

export const covers: readonly Cover[] = [
  { name: 'none', hides: 'nothing', back: '', front: '' },
  {
    name: 'head scarf',
    hides: 'everything',
    back: 'M60 16C36 16 31 38 33 60 33 78 28 92 22 106L98 106C92 92 87 78 87 60 89 38 84 16 60 16Z',
    front: `M60 15.5C37 15.5 32.5 37 34 58 35 74 46 88 60 91 74 88 85 74 86 58 87.5 37 83 15.5 60 15.5ZM60 29.5C71 29.5 77.5 37 77.5 51 77.5 66 71.5 79.5 60 79.5S42.5 66 42.5 51C42.5 37 49 29.5 60 29.5Z`,
    shine: 'M36 80C44 92 76 92 84 80 86 96 78 102 60 102S34 96 36 80Z',
  },
  {
    name: 'head scarf, open',
    hides: 'top',
    back: 'M60 15C38 14 32 34 34 56 34 74 30 86 26 98L94 98C90 86 86 74 86 56 88 34 82 14 60 15Z',
    front:
      'M60 15C38 14 32.5 34 34 58 36 70 38 78 42 84 39 70 38.5 54 42 44 47 34 54 31 60 31S73 34 78 44C81.5 54 81 70 78 84 82 78 84 70 86 58 87.5 34 82 14 60 15Z',
  },
  {
    name: 'turban',
    hides: 'everything',
    back: '',
    front: 'M37.5 46C32 26 44 12 60 12S88 26 82.5 46C78 38 70 33.5 60 33.5S42 38 37.5 46Z',
    shine:
      'M38 42C46 31 58 24 76 18 80 20 82 24 83 28 66 28 52 34 40 45ZM82.5 44C76 33 66 27 50 21 47 22.5 45 24 43 26.5 60 27 72 34 80.5 43Z',
  },
  {
    name: 'head wrap',
    hides: 'everything',
    back: '',
    front: 'M37.5 46C34 26 44 14 52 12 56 4 72 3 75 11 82 17 87 30 82.5 46 78 38 70 34 60 34S42 38 37.5 46Z',
    shine: 'M39 40C48 30 66 24 83 34 82 30 80 26 78 23 62 19 46 24 38.5 33ZM56 13C60 9 68 8 72 13 67 15 61 15 56 13Z',
  },
  {
    name: 'small cap',
    hides: 'nothing',
    back: '',
    front: 'M44.5 26C48 17.5 72 17.5 75.5 26 68 22.5 52 22.5 44.5 26Z',
  },
  {
    name: 'brimless cap',
    hides: 'top',
    back: '',
    front: 'M39.5 38C39.5 24 46 18.5 60 18.5S80.5 24 80.5 38C72 33.5 48 33.5 39.5 38Z',
    shine: 'M39.5 38C48 33.5 72 33.5 80.5 38L80.3 33.5C72 29.5 48 29.5 39.7 33.5Z',
  },
  {
    name: 'hard hat',
    hides: 'top',
    back: '',
    front:
      'M37 38C37 21 47 14.5 60 14.5S83 21 83 38L87.5 40.5C88.5 43 86 43.5 83 42.5 76 39 68 37.5 60 37.5S44 39 37 42.5C34 43.5 31.5 43 32.5 40.5Z',
    shine: 'M55.5 15C56 22 56 30 55.5 36.5H64.5C64 30 64 22 64.5 15Z',
  },
  {
    name: 'knitted hat',
    hides: 'top',
    back: '',
    front: 'M38.5 44C36.5 23 46 15.5 60 15.5S83.5 23 81.5 44Z',
    shine: 'M37.8 36.5H82.2L81.8 45.5C72 43.5 48 43.5 38.2 45.5Z',
  },
]

/** Hard hats are seen from afar, whatever else their wearer likes. */
export const hardHat = covers.findIndex(({ name }) => name === 'hard hat')
export const hardHatColours = ['#f2b632', '#f0f0ee', '#e8743b', '#3f7fc1'] as const
