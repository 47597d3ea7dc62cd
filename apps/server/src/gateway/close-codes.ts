/** With which WebSocket codes the server ends the connection of a unit. */
export const closeCodes = { refused: 4_001, tryAgain: 1_011 } as const
