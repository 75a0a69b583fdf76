/** A text in which `*` stands for anything. */
export function toPattern(text: string): RegExp {
  const escaped = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`)
}
