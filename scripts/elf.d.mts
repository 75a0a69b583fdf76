/** An ELF program without what only debuggers read. Throws when it is nothing of the kind. */
export function withoutSymbols(program: Buffer): Buffer
