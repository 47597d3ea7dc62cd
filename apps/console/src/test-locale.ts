// Tests read texts, dates and times as a browser in British English shows them, whatever machine they run on.
Object.defineProperty(globalThis.navigator, 'languages', { value: ['en-GB'], configurable: true })
