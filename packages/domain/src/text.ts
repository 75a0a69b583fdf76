/** `1 token`, `2 tokens`; of what has another plural, that one too. */
export const counting = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`

/** Without the ends that repeat one character: 'a//' and '/' give 'a'. */
export function withoutTail(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

/** Whether both parts are in the text, the second behind the first. */
export function hasInOrder(text: string, first: string, second: string): boolean {
  const at = text.indexOf(first)
  return at >= 0 && text.includes(second, at + first.length)
}
