import { getHealth, type Health } from '@pulse/contract'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { log } from '../../lib/log.ts'

export interface HealthNews {
  isDemo: boolean
  isLegacySsh: boolean
}

const nothing: HealthNews = { isDemo: false, isLegacySsh: false }

/** Asked once. A failure is only logged. */
export function useHealth(): HealthNews {
  const api = useApi()
  const [news, setNews] = useState(nothing)
  useEffect(() => {
    const gone = new AbortController()
    const ask = async () => {
      const answer = await api.send(getHealth.path, { cache: 'no-store', signal: gone.signal })
      const isDemo = answer.headers.get('X-Demo-Mode') === 'true'
      const { legacySSHDetected, recommendProxyUpgrade } = (await answer.json()) as Health
      setNews({ isDemo, isLegacySsh: legacySSHDetected === true && recommendProxyUpgrade === true })
    }
    ask().catch((error: unknown) => {
      if (!gone.signal.aborted) log.warn('The health of the server could not be loaded', error)
    })
    return () => gone.abort()
  }, [api])
  return news
}
