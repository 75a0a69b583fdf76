import { type RefObject, useLayoutEffect, useState } from 'react'
import { useTextScale } from '../../../lib/text-scale.ts'
import { usePhone } from '../../../parts/screen/use-phone.ts'

/** Whether an element has less room than so many px of usual letters; on a phone it has, before it is measured. */
export function useNarrow(ref: RefObject<HTMLElement | null>, leastPx: number): boolean {
  const least = leastPx * useTextScale()
  const phone = usePhone()
  const [narrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      const width = element.clientWidth
      setNarrow(width > 0 && width < least)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, least])
  return phone || narrow
}
