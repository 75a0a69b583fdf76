import { type RefObject, useEffect, useRef, useState } from 'react'

type Step = 'address' | 'access'

/** Whoever goes on finds the focus at the beginning of the next step. */
export function useSteps(first: Step, within: RefObject<HTMLElement | null>) {
  const [step, go] = useState(first)
  const seen = useRef(step)
  useEffect(() => {
    if (seen.current === step) return
    seen.current = step
    const control = step === 'address' ? 'input' : '[role=radio][aria-checked=true], input'
    within.current?.querySelector<HTMLElement>(control)?.focus()
  }, [step, within])
  return [step, go] as const
}
