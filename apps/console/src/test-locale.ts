// Makes tests use British English texts, dates and times on every machine.
Object.defineProperty(globalThis.navigator, 'languages', { value: ['en-GB'], configurable: true })
