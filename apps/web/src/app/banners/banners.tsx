import { getHealth, type Health, type VersionInfo } from '@pulse/contract'
import { Presentation, Thermometer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { useSession } from '../../api/session.tsx'
import { load } from '../../api/load.ts'
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

/** Node temperatures still use the legacy method. Dismissed for good. */
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
