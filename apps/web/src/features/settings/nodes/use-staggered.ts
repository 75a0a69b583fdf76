import { useEffect, useState } from 'react'

const stepMs = 50

/** True from that many steps on: the calls of a section do not all start in one moment. */
export function useStaggered(steps: number): boolean {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), steps * stepMs)
    return () => clearTimeout(timer)
  }, [steps])
  return due
}
