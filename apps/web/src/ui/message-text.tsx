import { use } from 'react'
import { InDialogContext } from './in-dialog.ts'
import { Link } from './router/link.tsx'

/**
 * A message with links for the names of settings. In a dialog they open a new tab, so that typed values stay.
 */
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

/** Setting names in messages, and their pages. */
const settingLinks: readonly (readonly [name: string, path: string])[] = [
  ['Allowed hosts', '/alerts/destinations#allowed-hosts'],
  ['Settings → Docker hosts', '/settings/docker'],
  ['Settings → Security', '/settings/security'],
  ['Settings → Diagnostics', '/settings/diagnostics'],
]

export interface MessagePiece {
  text: string
  /** page of the setting, if the text is its name */
  path?: string
}

/** Splits a message at the names of settings. */
export function messagePieces(message: string): readonly MessagePiece[] {
  let pieces: readonly MessagePiece[] = [{ text: message }]
  for (const [name, path] of settingLinks)
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
