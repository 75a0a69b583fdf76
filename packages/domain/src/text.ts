/** `1 token`, `2 tokens`; `more`: an irregular plural. */
export const counting = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`

/** Removes a repeated character from the end: 'a//' with '/' gives 'a'. */
export function withoutTail(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

/** Whether the text contains both parts, in this order. */
export function hasInOrder(text: string, first: string, second: string): boolean {
  const at = text.indexOf(first)
  return at >= 0 && text.includes(second, at + first.length)
}
