export function importsOf(file: string, text: string): string[]
export function cyclesOf(imports: ReadonlyMap<string, readonly string[]>): string[]
