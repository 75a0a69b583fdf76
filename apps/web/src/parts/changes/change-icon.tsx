import type { ChangeWord, HistoryChange } from '@pulse/contract'
import {
  Archive,
  ArrowRightLeft,
  CircleAlert,
  CircleArrowUp,
  CircleCheck,
  CircleMinus,
  CirclePlus,
  Copy,
  PencilLine,
  Play,
  RotateCw,
  Scaling,
  ShieldAlert,
  Square,
  Tag,
  TriangleAlert,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { toneText, type UiTone } from '../../ui/tone-class.ts'

type Icon = ComponentType<{ size?: number; className?: string; 'aria-hidden'?: boolean }>

const icons: Readonly<Record<ChangeWord, Icon>> = {
  came: CirclePlus,
  went: CircleMinus,
  moved: ArrowRightLeft,
  started: Play,
  stopped: Square,
  restarted: RotateCw,
  resized: Scaling,
  renamed: PencilLine,
  tagged: Tag,
  converted: Copy,
  failing: CircleAlert,
  status: TriangleAlert,
  version: CircleArrowUp,
  unprotected: ShieldAlert,
  backupStarted: Archive,
  backupEnded: Archive,
}

/** Only what needs attention has a colour. */
export function changeTone({ what, kind, to }: Pick<HistoryChange, 'what' | 'kind' | 'to'>): UiTone {
  if (what === 'failing') return 'red'
  if (what === 'unprotected') return 'orange'
  if (what === 'status') {
    if (to === 'HEALTH_ERR') return 'red'
    return to === 'available' || to === 'HEALTH_OK' ? 'neutral' : 'orange'
  }
  return what === 'stopped' && (kind === 'nodes' || kind === 'dockerHosts') ? 'orange' : 'neutral'
}

/** The text beside it says the same. */
export function ChangeIcon({ change }: { change: Pick<HistoryChange, 'what' | 'kind' | 'to'> }) {
  const tone = changeTone(change)
  const isOver = change.what === 'status' && tone === 'neutral'
  const Icon = isOver ? CircleCheck : icons[change.what]
  return (
    <Icon
      aria-hidden
      size={14}
      className={`shrink-0 ${tone === 'neutral' ? 'text-ink-3' : toneText[tone]}`}
    />
  )
}
