import { useEffect, useState } from 'react'

const named = () => window.location.hash.slice(1)

/** Which topic is open stands behind the # of the address, so that a link leads to it and Back returns. */
export function useTopic(topics: readonly { id: string }[]) {
  const [id, setId] = useState(named)
  useEffect(() => {
    const follow = () => setId(named())
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  const open = topics.find((topic) => topic.id === id) ?? topics[0]!
  const choose = (chosen: string) => {
    setId(chosen)
    window.history.replaceState(window.history.state, '', `#${chosen}`)
  }
  return [open.id, choose] as const
}
