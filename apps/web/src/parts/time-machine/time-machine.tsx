import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Queries } from '../../api/queries.tsx'
import { useNow } from '../../lib/use-now.ts'
import { useRouter } from '../../ui/router/use-router.ts'
import { addressAt } from './address.ts'
import { Past, type PastPage } from './past.tsx'
import { Strip } from './strip.tsx'
import { useReach } from './use-reach.ts'
import { momentWords } from './words.ts'

interface TimeMachineProps {
  /** in the address, epoch ms; undefined: now */
  at: number | undefined
  /** the controls are shown */
  isOpen: boolean
  /** the button that opens them */
  openedBy: RefObject<HTMLElement | null>
  onClose: () => void
  onPast: (past: PastPage | undefined) => void
}

/** Controls, mark and state of the past. Its code loads with the first visit to the past. */
export function TimeMachine(props: TimeMachineProps) {
  return (
    <Queries>
      <Machine {...props} />
    </Queries>
  )
}

const minuteMs = 60_000
/** While a key is held down or the slider is dragged, only where it rests is loaded. */
const debounceMs = 150

function Machine({ at, isOpen, openedBy, onClose, onPast }: TimeMachineProps) {
  const router = useRouter()
  const reach = useReach()
  const nowMs = useNow(minuteMs, (now) => now)
  const words = useCallback((moment: number) => momentWords(moment, nowMs), [nowMs])
  const go = useCallback(
    (to: number | undefined) => {
      const { path, search, hash } = router.view().location
      router.replace(addressAt(path + search + hash, to))
    },
    [router],
  )
  const [draft, move] = useDraft(at, go)
  return (
    <>
      {at !== undefined && (
        <Past {...{ at, reach, words, onPast }} wanted={draft ?? at} onBack={() => move(undefined)} />
      )}
      {isOpen && <Strip {...{ reach, words, openedBy, onClose }} at={draft ?? at} onMove={move} />}
    </>
  )
}

/** The moment that the user moves to, until the address has it. */
function useDraft(at: number | undefined, go: (to: number | undefined) => void) {
  const [draft, setDraft] = useState<number>()
  const [former, setFormer] = useState(at)
  /** the last moment that a step brought into the address */
  const [sent, setSent] = useState(at)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (at !== former) {
    setFormer(at)
    // a step that was made meanwhile still waits
    if (at !== sent || draft === at) setDraft(undefined)
  }
  const forgetStep = useEffectEvent((shown: number | undefined) => {
    if (shown !== sent) clearTimeout(timer.current)
  })
  useEffect(() => forgetStep(at), [at])
  useEffect(() => () => clearTimeout(timer.current), [])
  const move = (to: number | undefined) => {
    clearTimeout(timer.current)
    setDraft(to)
    const send = () => {
      setSent(to)
      go(to)
    }
    if (to === undefined) send()
    else timer.current = setTimeout(send, debounceMs)
  }
  return [draft, move] as const
}
