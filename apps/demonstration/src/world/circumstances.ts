type Circumstances = {
  /** Days from the start of the demonstration. */
  validFromDays?: number
  validUntilDays?: number
  recertifiedDays?: number
}

/** Users with special circumstances. */
export const circumstances: Record<string, Circumstances> = {
  'Declan Murphy': { validFromDays: -200, validUntilDays: -20 },
  'Bongani Sithole': { validFromDays: 45 },
  Widodo: { validFromDays: 12 },
  "Siobhán O'Reilly": { validFromDays: -30, validUntilDays: 150 },
  'Stefan Kruger': { validFromDays: -90, validUntilDays: 4 },
  'Zoltán Szabó': { validFromDays: -90, validUntilDays: 11 },
  'Mohammed Rashid Ebrahim': { validFromDays: -120, validUntilDays: 2 },
  'Lucy Fairweather': { validUntilDays: 20 },
  'Imraan Cassiem': { recertifiedDays: -189 },
  'Tebogo Sebati': { recertifiedDays: -183 },
  'Carla Ferreira': { recertifiedDays: -178 },
  'Devan Pillay': { recertifiedDays: -174 },
  'Patience Moyo': { recertifiedDays: -168 },
  'Lwazi Cele': { recertifiedDays: -160 },
  'Charmaine Petersen': { recertifiedDays: -156 },
  'Gert Coetzee': { recertifiedDays: -152 },
  'Priya Raman': { recertifiedDays: -127 },
  'Farhan Aziz': { recertifiedDays: -93 },
  'Yuki Tanabe': { recertifiedDays: -71 },
  'Eleanor Ashworth': { recertifiedDays: -31 },
  'שרה כהן': { recertifiedDays: -86 },
}

type SignIn = {
  role: 'admin' | 'accountManager' | 'installer' | 'accessManager' | 'reportingUser' | 'appUser'
  email: string
}

/** The users who can sign in after a password is set, one in each role. */
export const signIns: Record<string, SignIn> = {
  'Lerato Khumalo': { role: 'admin', email: 'lerato.khumalo@harbour-group.example' },
  'Annelise van Zyl': { role: 'accountManager', email: 'annelise.vanzyl@harbour-group.example' },
  'Ebrahim Salie': { role: 'installer', email: 'ebrahim.salie@harbour-group.example' },
  'Thandeka Mthembu': { role: 'accessManager', email: 'thandeka.mthembu@harbour-group.example' },
  'Graham Whitfield': { role: 'reportingUser', email: 'graham.whitfield@harbour-group.example' },
  'Inga Lindqvist': { role: 'appUser', email: 'inga.lindqvist@harbour-group.example' },
  'Neville Chetty': { role: 'accessManager', email: 'neville.chetty@harbour-logistics.example' },
  'Eleanor Ashworth': { role: 'admin', email: 'eleanor.ashworth@quayside-labs.example' },
}
