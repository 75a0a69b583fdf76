/** Settings as messages name them, and where they are changed. */
const places: readonly (readonly [name: string, path: string])[] = [
  ['Allowed hosts', '/alerts/destinations#allowed-hosts'],
  ['Settings → Docker hosts', '/settings/docker'],
  ['Settings → Security', '/settings/security'],
  ['Settings → Diagnostics', '/settings/diagnostics'],
]

export interface MessagePiece {
  text: string
  /** of the setting that it names */
  path?: string
}

/** A message in pieces, of which the names of settings lead to them. */
export function messagePieces(message: string): readonly MessagePiece[] {
  let pieces: readonly MessagePiece[] = [{ text: message }]
  for (const [name, path] of places)
    pieces = pieces.flatMap((piece) =>
      piece.path === undefined && piece.text.includes(name)
        ? piece.text
            .split(name)
            .flatMap((text, at) => (at === 0 ? [{ text }] : [{ text: name, path }, { text }]))
            .filter(({ text }) => text !== '')
        : [piece],
    )
  return pieces
}
