import { useEffect, useEffectEvent, useState } from 'react'
import { unsavedWork } from '../missing-code.ts'
import type { Place } from './history.ts'
import { useRouter } from './use-router.ts'

interface HeldBack {
  goOn: () => void
}

interface LeaveGuard {
  isActive: boolean
  /** paths that may be opened without a question */
  stays: (path: string) => boolean
}

/** Blocks navigation while it is active. The browser itself asks before a reload or before the tab closes. */
export function useLeaveGuard({ isActive, stays }: LeaveGuard) {
  const { guard } = useRouter()
  const [held, setHeld] = useState<HeldBack>()
  const holds = useEffectEvent((to: Place) => !stays(to.path))

  useEffect(() => {
    if (!isActive) return
    const saved = unsavedWork.add()
    const letGo = guard({ holds: (to) => holds(to), ask: (goOn) => setHeld({ goOn }) })
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', onUnload)
    return () => {
      saved()
      letGo()
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [isActive, guard])

  return {
    isHeld: held !== undefined,
    stay: () => setHeld(undefined),
    leave: () => {
      setHeld(undefined)
      held?.goOn()
    },
  }
}
