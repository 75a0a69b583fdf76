export declare function offencesIn(file: string, text: string): { line: number; words: string; say: string }[]
