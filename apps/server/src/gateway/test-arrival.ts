/** What a unit reports when it connects, where a test is about something else. */
export const arrival = {
  address: '127.0.0.1',
  firmware: undefined,
  capacity: undefined,
  takesDeltas: false,
  clockOffsetMs: 0,
  appliedVersion: null,
}
