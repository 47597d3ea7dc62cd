/** The first administrator of every installation that journeys and measurements start. */
export const administrator = { email: 'admin@portcullis.example', password: 'a gate that only opens inward' } as const
