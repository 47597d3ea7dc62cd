import sql from 'sql-template-tag'

/** The advisory lock that running servers share, and that a rotation of the secret key takes alone. */
export const keyLock = sql`hashtextextended('portcullis installation key', 0)`
