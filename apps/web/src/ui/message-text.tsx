import { use } from 'react'
import { messagePieces } from '../lib/setting-places.ts'
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
