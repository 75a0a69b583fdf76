import { getHealth, type Health, type VersionInfo } from '@pulse/contract'
import { Presentation, Thermometer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { useSession } from '../../api/session.tsx'
import { log } from '../../lib/log.ts'
import { useStored, writeStored } from '../../lib/storage.ts'
import { useLiveEvent } from '../../live/use-live.ts'
import { useKnownUpdate, useUpdateCheck } from '../../parts/updates/known-update.ts'
import { takeProgress, useUpdateFlow } from '../../parts/updates/update-flow.ts'
import { buttonClass } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/code/lazy-part.tsx'
import { Link } from '../../ui/router/link.tsx'
import { Banner } from './banner.tsx'
import { useSessionDismissal } from './dismissal.ts'
import { SecurityBanner } from './security-banner.tsx'
import { UpdateBanner } from './update-banner.tsx'

const UpdateDialogs = lazyPart('Update', () => import('./update-dialogs.tsx'))

interface BannersProps {
  version: VersionInfo | undefined
  /** the first figures are there: what nobody waits for may be asked for */
  isSettled: boolean
  onUpdate: (isAvailable: boolean) => void
}

/** What Pulse has to say about itself, above every page. */
export function Banners({ version, isSettled, onUpdate }: BannersProps) {
  const { isAdmin } = useSession()
  const { info } = useKnownUpdate(version)
  const isAvailable = info !== undefined
  useUpdateCheck(isAdmin && isSettled ? version : undefined)
  useLiveEvent('update:progress', ({ data }) => takeProgress(data))
  useEffect(() => onUpdate(isAvailable), [onUpdate, isAvailable])
  return (
    <>
      {isSettled && <OfHealth isAdmin={isAdmin} />}
      <SecurityBanner />
      <UpdateBanner version={version} />
      <Dialogs />
    </>
  )
}

function OfHealth({ isAdmin }: { isAdmin: boolean }) {
  const { isDemo, isLegacySsh } = useHealth()
  return (
    <>
      {isDemo && <DemoBanner />}
      {isLegacySsh && isAdmin && <LegacySshBanner />}
    </>
  )
}

function Dialogs() {
  const { dialog, wanted } = useUpdateFlow()
  if (!dialog && !wanted) return null
  return <UpdateDialogs />
}

export const demoKey = 'demoBannerDismissed'

function DemoBanner() {
  const [dismissed, dismiss] = useSessionDismissal(demoKey)
  if (dismissed) return null
  return (
    <Banner
      label="Demo mode"
      tone="accent"
      icon={Presentation}
      title="Demo instance: read-only"
      text="Anyone can look, changes are blocked, and addresses are masked."
      onDismiss={dismiss}
    />
  )
}

export const legacySshKey = 'legacySSHBannerDismissed'

/** Node temperatures are still read the old way. Once dismissed it does not come back. */
function LegacySshBanner() {
  const dismissed = useStored(legacySshKey) === 'true'
  if (dismissed) return null
  return (
    <Banner
      label="Temperature monitoring"
      tone="yellow"
      icon={Thermometer}
      title="Legacy SSH temperature monitoring detected"
      text="Its SSH key may do more than read temperatures. Set up the temperature helper for each node instead."
      actions={
        <Link to="/settings/nodes" className={buttonClass()}>
          Go to node settings
        </Link>
      }
      onDismiss={() => writeStored(legacySshKey, 'true')}
    />
  )
}

interface HealthNews {
  isDemo: boolean
  isLegacySsh: boolean
}

const nothing: HealthNews = { isDemo: false, isLegacySsh: false }

/** Asked once. A failure is only logged. */
function useHealth(): HealthNews {
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
