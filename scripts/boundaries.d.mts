type Imports = ReadonlyMap<string, readonly string[]>
export function areaCrossings(imports: Imports, areas: readonly string[]): [file: string, target: string][]
export function featureCrossings(imports: Imports): [file: string, target: string][]
export function areasOf(texts: ReadonlyMap<string, string>): string[]
export function refusedIn(text: string): string[]
export function speaksSql(file: string, text: string): boolean
