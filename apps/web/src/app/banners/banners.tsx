import type { VersionInfo } from '@pulse/contract'
import { useEffect } from 'react'
import { useSession } from '../../api/session.tsx'
import { useLiveEvent } from '../../live/use-live.ts'
import { useKnownUpdate } from '../../parts/updates/known-update.ts'
import { takeProgress, useUpdateFlow } from '../../parts/updates/update-flow.ts'
import { useUpdateCheck } from '../../parts/updates/use-update-check.ts'
import { lazyPart } from '../../ui/code/lazy-part.tsx'
import { DemoBanner } from './demo-banner.tsx'
import { LegacySshBanner } from './legacy-ssh-banner.tsx'
import { SecurityBanner } from './security-banner.tsx'
import { UpdateBanner } from './update-banner.tsx'
import { useHealth } from './use-health.ts'

const UpdateDialogs = lazyPart('Update', () => import('../../parts/updates/update-dialogs.tsx'))

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
