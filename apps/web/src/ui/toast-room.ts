import { type RefObject, useLayoutEffect } from 'react'

const variable = '--toast-room'

/**
 * Room at the end of the page as high as the messages above it: whoever scrolls to the end reaches the buttons of the
 * last row. It goes with the messages unless the window stands in it, because then everything would move.
 */
export function useToastRoom(viewport: RefObject<HTMLElement | null>, count: number): void {
  useLayoutEffect(() => {
    const root = document.documentElement
    const element = viewport.current
    if (!element) return
    if (count > 0) {
      const take = () => {
        const room = Math.max(0, Math.ceil(window.innerHeight - element.getBoundingClientRect().top))
        if (room > roomOf(root)) root.style.setProperty(variable, `${room}px`)
      }
      take()
      const observer = new ResizeObserver(take)
      observer.observe(element)
      return () => observer.disconnect()
    }
    const release = () => {
      const below = root.scrollHeight - window.innerHeight - window.scrollY
      if (below < roomOf(root)) return
      root.style.removeProperty(variable)
      removeEventListener('scroll', release)
    }
    addEventListener('scroll', release, { passive: true })
    release()
    return () => removeEventListener('scroll', release)
  }, [viewport, count])
}

const roomOf = (root: HTMLElement): number => Number.parseFloat(root.style.getPropertyValue(variable)) || 0
