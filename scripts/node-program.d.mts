/** Strips the symbols from an ELF program. Throws for any other file. */
export function withoutSymbols(program: Buffer): Buffer
