import { getHealth, type Health, type VersionInfo } from '@pulse/contract'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { useSession } from '../../api/session.tsx'
import { load } from '../../api/load.ts'
import { useLiveEvent } from '../../live/use-live.ts'
import { useKnownUpdate, useUpdateCheck } from '../../parts/updates/known-update.ts'
import { takeProgress, useUpdateFlow } from '../../parts/updates/update-flow.ts'
import { lazyPart } from '../../ui/code/lazy-part.tsx'
import { SecurityBanner } from './security-banner.tsx'
import { UpdateBanner } from './update-banner.tsx'

export const HealthBanners = lazyPart('Banners', () => import('./health-banners.tsx'), {
  renderFailure: () => null,
})
const UpdateDialogs = lazyPart('Update', () => import('./update-dialogs.tsx'))

interface BannersProps {
  version: VersionInfo | undefined
  /** the first data has arrived, so calls without urgency may begin */
  hasData: boolean
  onUpdate: (isAvailable: boolean) => void
}

/** The messages about Pulse, above every page. */
export function Banners({ version, hasData, onUpdate }: BannersProps) {
  const { isAdmin } = useSession()
  const { info } = useKnownUpdate(version)
  const isAvailable = info !== undefined
  useUpdateCheck(isAdmin && hasData ? version : undefined)
  useLiveEvent('update:progress', ({ data }) => takeProgress(data))
  useEffect(() => onUpdate(isAvailable), [onUpdate, isAvailable])
  return (
    <>
      {hasData && <OfHealth isAdmin={isAdmin} />}
      <SecurityBanner />
      <UpdateBanner version={version} />
      <Dialogs />
    </>
  )
}

function OfHealth({ isAdmin }: { isAdmin: boolean }) {
  const { isDemo, isLegacySsh } = useHealth()
  const isShown = isLegacySsh && isAdmin
  return (isDemo || isShown) && <HealthBanners isDemo={isDemo} isLegacySsh={isShown} />
}

function Dialogs() {
  const { dialog, wanted } = useUpdateFlow()
  if (!dialog && !wanted) return null
  return <UpdateDialogs />
}

interface HealthNews {
  isDemo: boolean
  isLegacySsh: boolean
}

const nothing: HealthNews = { isDemo: false, isLegacySsh: false }

/** Loaded once. A failure is only logged. */
function useHealth(): HealthNews {
  const api = useApi()
  const [news, setNews] = useState(nothing)
  useEffect(() => {
    const readHealth = async (signal: AbortSignal): Promise<HealthNews> => {
      const answer = await api.send(getHealth.path, { cache: 'no-store', signal })
      const isDemo = answer.headers.get('X-Demo-Mode') === 'true'
      const { legacySSHDetected, recommendProxyUpgrade } = (await answer.json()) as Health
      return { isDemo, isLegacySsh: legacySSHDetected === true && recommendProxyUpgrade === true }
    }
    return load(readHealth, setNews, 'The health of the server could not be loaded')
  }, [api])
  return news
}
