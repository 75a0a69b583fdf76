import { Presentation, Thermometer } from 'lucide-react'
import { useStored, writeStored } from '../../lib/storage.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Link } from '../../ui/router/link.tsx'
import { Banner } from './banner.tsx'
import { useSessionDismissal } from './dismissal.ts'

interface HealthBannersProps {
  isDemo: boolean
  isLegacySsh: boolean
}

/** What the health call says about this installation. The code loads only where one of them is shown. */
export default function HealthBanners({ isDemo, isLegacySsh }: HealthBannersProps) {
  return (
    <>
      {isDemo && <DemoBanner />}
      {isLegacySsh && <LegacySshBanner />}
    </>
  )
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
