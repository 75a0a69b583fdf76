import { Presentation } from 'lucide-react'
import { Banner } from './banner.tsx'
import { useSessionDismissal } from './dismissal.ts'

export const demoKey = 'demoBannerDismissed'

export function DemoBanner() {
  const [dismissed, dismiss] = useSessionDismissal(demoKey)
  if (dismissed) return null
  return (
    <Banner
      label="Demo mode"
      tone="accent"
      icon={Presentation}
      title="Demo instance: read-only"
      text="Everybody may look, nobody can change anything, and addresses are masked."
      onDismiss={dismiss}
    />
  )
}
