import { useState } from 'react'
import type { NewCredentials } from './credentials-file.ts'
import { CredentialsShown } from './credentials-shown.tsx'
import { SetupForm } from './setup-form.tsx'
import type { SetupMode } from './setup-values.ts'

interface QuickSetupProps {
  mode: SetupMode
  username?: string
  onDone: () => void
  onCancel?: () => void
}

/** First setup, or a change of credentials: the form, then the credentials once, then Done. */
export function QuickSetup({ mode, username = 'admin', onDone, onCancel }: QuickSetupProps) {
  const [created, setCreated] = useState<NewCredentials>()
  if (created) return <CredentialsShown credentials={created} onDone={onDone} />
  return <SetupForm mode={mode} username={username} onCreated={setCreated} onCancel={onCancel} />
}
