import { Thermometer } from 'lucide-react'
import { useStored, writeStored } from '../../lib/storage.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Link } from '../../ui/router/link.tsx'
import { Banner } from './banner.tsx'

export const legacySshKey = 'legacySSHBannerDismissed'

/** Node temperatures are still read the old way. Once dismissed it does not come back. */
export function LegacySshBanner() {
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
