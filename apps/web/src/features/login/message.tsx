import { CircleAlert, CircleCheck, Info, Lock, type LucideIcon } from 'lucide-react'
import { cx } from '../../ui/cx.ts'

export interface LoginMessage {
  kind: 'error' | 'info' | 'success'
  text: string
}

export const noSession: LoginMessage = {
  kind: 'error',
  text: 'The sign-in was accepted, but this browser did not keep the session. Allow cookies for this site and try again.',
}

interface Look {
  Icon: LucideIcon
  box: string
  icon: string
}

const looks: Record<LoginMessage['kind'] | 'locked', Look> = {
  error: { Icon: CircleAlert, box: 'border-red/40 bg-red-soft', icon: 'text-red' },
  locked: { Icon: Lock, box: 'border-orange/40 bg-orange-soft', icon: 'text-orange' },
  info: { Icon: Info, box: 'border-line-strong bg-sunken', icon: 'text-ink-3' },
  success: { Icon: CircleCheck, box: 'border-green/40 bg-green-soft', icon: 'text-green' },
}

const lockedWord = /locked/i
const minuteWord = /minute/i

/** A lockout must be waited out, so it looks different from errors the user can correct. */
export function MessageBox({ kind, text }: LoginMessage) {
  const locked = kind === 'error' && lockedWord.test(text)
  const { Icon, box, icon } = looks[locked ? 'locked' : kind]
  return (
    <div
      role={kind === 'error' ? 'alert' : 'status'}
      data-look={locked ? 'locked' : kind}
      className={cx('flex items-start gap-2.5 rounded-md border px-3 py-2.5 text-table', box)}
    >
      <Icon aria-hidden size={16} className={cx('mt-0.5 shrink-0', icon)} />
      <div className="min-w-0 break-words">
        <p className="text-ink">{text}</p>
        {locked && minuteWord.test(text) && (
          <p className="mt-0.5 text-xs text-ink-2">Lockouts expire automatically.</p>
        )}
      </div>
    </div>
  )
}
