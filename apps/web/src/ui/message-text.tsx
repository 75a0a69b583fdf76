import { use } from 'react'
import { InDialogContext } from './in-dialog.ts'
import { Link } from './router/link.tsx'

/** What a message says; a setting that it names is a link. From a dialog it opens apart: what was typed stays. */
export function MessageText({ text }: { text: string }) {
  const apart = use(InDialogContext)
  return messagePieces(text).map((piece, at) =>
    piece.path === undefined ? (
      piece.text
    ) : (
      <Link
        key={at}
        to={piece.path}
        {...(apart && { target: '_blank' })}
        className="font-medium underline underline-offset-2"
      >
        {piece.text}
      </Link>
    ),
  )
}

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
