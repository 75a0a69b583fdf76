import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { basePath } from '../../lib/base-path.ts'
import { downloadText } from '../../lib/download.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { credentialsFileName, credentialsText, type NewCredentials } from './credentials-file.ts'
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

interface CredentialsShownProps {
  credentials: NewCredentials
  onDone: () => void
}

/** Shows the credentials once. */
function CredentialsShown({ credentials, onDone }: CredentialsShownProps) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])

  const onFailed = () =>
    toast.error('The browser does not allow copying here. Copy the selected text manually.')
  const download = () => {
    const now = new Date()
    downloadText(
      credentialsFileName(now),
      credentialsText(credentials, window.location.origin + basePath, now),
    )
  }

  return (
    <div className="flex flex-col gap-4">
      <h2 ref={title} tabIndex={-1} className="text-sm font-semibold outline-none">
        Save your credentials
      </h2>
      <Notice tone="yellow">They are shown only once. Copy or download them before you continue.</Notice>
      <CopyField label="Username" value={credentials.username} onFailed={onFailed} />
      <CopyField label="Password" value={credentials.password} onFailed={onFailed} />
      <CopyField label="API token" value={credentials.apiToken} onFailed={onFailed} />
      <div className="mt-1 flex flex-wrap justify-between gap-2">
        <Button onClick={download}>
          <Download aria-hidden size={14} />
          Download as text file
        </Button>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
