import { META_ID, type Notice } from '@pulse/contract'
import { TriangleAlert } from 'lucide-react'
import { useSession } from '../api/session.tsx'
import { useEntity } from '../live/use-live.ts'

const none: readonly Notice[] = []

/** What the server wants the administrator to know about itself, such as a damaged database. */
export function Notices() {
  const notices = useEntity('meta', META_ID)?.notices ?? none
  const { status } = useSession()
  // visitors of a demonstration have a banner of their own
  if (notices.length === 0 || status.demo) return null
  return (
    <ul aria-label="Notices" className="my-3 flex flex-col gap-2">
      {notices.map(({ id, level, message }) => (
        <li
          key={id}
          data-level={level}
          className="flex items-start gap-2 rounded-md border border-line bg-raised px-3 py-2 text-sm text-ink-2"
        >
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-orange" />
          <span className="min-w-0 break-words">{message}</span>
        </li>
      ))}
    </ul>
  )
}
