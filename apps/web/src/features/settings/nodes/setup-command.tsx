import { getSetupScript, postSetupScriptUrl, setupFileNames, type SetupKind } from '@pulse/contract'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { downloadText } from '../../../lib/download.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { OwnAddress } from '../own-address.tsx'
import { basePath } from '../../../lib/base-path.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'

interface SetupCommandProps {
  kind: SetupKind
  /** as typed */
  host: string
}

const SECOND_MS = 1_000
const copiedMs = 2_000
const downloadedMs = 6_000
const failedMs = 6_000

/** One command that creates user, role and token on the server and registers it here. */
export function SetupCommand({ kind, host }: SetupCommandProps) {
  const [asked, setAsked] = useState(false)
  const [temperature, setTemperature] = useState(false)
  const issue = useIssue(kind)
  const typed = host.trim()
  const isFor = issue.variables
  const issued = isFor?.host === typed && isFor.temperature === temperature ? issue.data : undefined

  const generate = () => {
    setAsked(true)
    if (typed) issue.mutate({ host: typed, temperature })
  }

  return (
    <div className="flex flex-col gap-3 text-table">
      <p className="text-ink-2">
        {kind === 'pve'
          ? 'Run one command as root on any node of the cluster. It creates a user that can only read and a token, and registers the cluster here.'
          : 'Run one command as root on the backup server. It creates a user that can only read and a token, and registers the server here.'}
      </p>
      {kind === 'pve' && (
        <Checkbox
          label="Also install the temperature helper"
          hint="Creates an account that can only read sensors. Then enable the node under Temperature helper."
          checked={temperature}
          onChange={setTemperature}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button disabled={issue.isPending} onClick={generate}>
          {issue.isPending ? 'Generating...' : issued ? 'Generate a new command' : 'Generate command'}
        </Button>
        {asked && !typed && (
          <p role="alert" className="text-red">
            Please enter the Host URL first
          </p>
        )}
      </div>
      {issued && (
        <>
          <OwnAddress url={issued.url}>
            Open Pulse at an address your servers can reach, or set PULSE_PUBLIC_URL, and generate a new
            command.
          </OwnAddress>
          <CopyField
            label="Setup command"
            value={issued.command}
            onCopied={() => toast.success('Command copied to clipboard!', copiedMs)}
            onFailed={() => toast.error('Failed to copy to clipboard', failedMs)}
          />
          <Expiry until={issued.until} />
          {issued.notes.map((note) => (
            <p key={note} className="text-xs text-ink-2">
              {note}
            </p>
          ))}
          <ScriptDownload kind={kind} host={typed} temperature={temperature} setupCode={issued.setupCode} />
        </>
      )}
      <p className="text-xs text-ink-2">
        When the script is done, the server appears in the list. If the server cannot reach Pulse, the script
        prints a token: switch to Manual and paste it.
      </p>
    </div>
  )
}

function useIssue(kind: SetupKind) {
  const api = useApi()
  return useChange({
    mutationFn: async ({ host, temperature }: { host: string; temperature: boolean }) => {
      const issued = await api.call(postSetupScriptUrl, {
        body: { type: kind, host, backupPerms: kind === 'pve', ...(temperature && { temperature }) },
      })
      // uses the remaining time: the server's clock may differ from ours
      return { ...issued, until: Date.now() + issued.expiresInSeconds * SECOND_MS }
    },
    onError: () => toast.error('Failed to generate setup URL', failedMs),
  })
}

/** The command's code works once, and only for a short time. */
function Expiry({ until }: { until: number }) {
  const seconds = useNow(SECOND_MS, (now) => Math.max(0, Math.ceil((until - now) / SECOND_MS)))
  if (seconds === 0) {
    return (
      <p role="alert" className="text-xs text-red">
        The command has expired. Generate a new one.
      </p>
    )
  }
  return (
    <p className="text-xs text-ink-2">
      {'Waiting for the server. The command works once, within the next '}
      <span role="timer" className="font-medium text-ink tabular-nums">
        {`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`}
      </span>
    </p>
  )
}

interface ScriptDownloadProps extends SetupCommandProps {
  temperature: boolean
  setupCode: string
}

function ScriptDownload({ kind, host, temperature, setupCode }: ScriptDownloadProps) {
  const api = useApi()
  const file = setupFileNames[kind]
  const download = useChange({
    mutationFn: async () => {
      const query = new URLSearchParams({
        type: kind,
        host,
        pulse_url: window.location.origin + basePath,
        ...(kind === 'pve' && { backup_perms: 'true' }),
        ...(temperature && { temperature: 'true' }),
      })
      const answer = await api.send(`${getSetupScript.path}?${query}`)
      if (!answer.ok) throw new Error(`${getSetupScript.path} answered ${answer.status}`)
      return answer.text()
    },
    onSuccess: (script) => {
      downloadText(file, script)
      toast.success(downloadedTexts[kind], downloadedMs)
    },
    onError: () => toast.error('Failed to download script. Please check your connection.', failedMs),
  })
  return (
    <Disclosure summary="The server cannot reach Pulse at that address?" keepMounted>
      <div className="mt-2 flex flex-col items-start gap-3">
        <p className="text-xs text-ink-2">
          {`Download the script, upload it to the server and run: bash ${file}. It asks for the one-time code.`}
        </p>
        <Button disabled={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden size={14} />
          {download.isPending ? 'Downloading...' : 'Download script'}
        </Button>
        <div className="w-full">
          <CopyField
            label="One-time code"
            value={setupCode}
            onCopied={() => toast.success('Copied to clipboard!', copiedMs)}
            onFailed={() => toast.error('Failed to copy to clipboard', failedMs)}
          />
        </div>
      </div>
    </Disclosure>
  )
}

const downloadedTexts: Record<SetupKind, string> = {
  pve: 'Script downloaded! Upload it to your server and run: bash pulse-setup.sh',
  pbs: 'Script downloaded! Upload it to your backup server and run: bash pulse-pbs-setup.sh',
}
