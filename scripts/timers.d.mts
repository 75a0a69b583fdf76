export function timersIn(text: string): string[]
