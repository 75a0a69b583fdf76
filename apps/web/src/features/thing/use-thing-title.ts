import { useEffect } from 'react'

/** The window has the name of the thing. */
export function useThingTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Pulse`
  }, [name])
}
