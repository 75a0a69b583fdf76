import {
  type ConfigImportPreview,
  type ConfigImportReply,
  postConfigImport,
  postConfigImportPreview,
} from '@pulse/contract'
import { type FormEvent, type MouseEvent, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog, DialogActions, DialogCancel, useDialogBusy } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { importData, useTransfer } from './use-transfer.ts'
import { ImportPreview } from './import-preview.tsx'
import { keepImportNotes } from './import-notes.tsx'
import { TokenPrompt, type TokenRequest } from './token-prompt.tsx'

interface ImportDialogProps {
  open: boolean
  onClose: () => void
}

const reloadAfterMs = 2_000
const texts = { refused: 'Import requires authentication', failed: 'Failed to import configuration' }

export function ImportDialog({ open, onClose }: ImportDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Import configuration"
      description="The file replaces nodes, system settings, single sign-on, guest URLs, temperature switches, alert settings and notification settings; accounts, API tokens and Docker hosts are added. If anything is wrong, nothing changes."
    >
      <ImportForm onClose={onClose} />
    </Dialog>
  )
}

interface ImportBody {
  passphrase: string
  data: string
}

function ImportForm({ onClose }: Pick<ImportDialogProps, 'onClose'>) {
  const [request, setRequest] = useState<TokenRequest>()
  const [file, setFile] = useState<File>()
  const [passphrase, setPassphrase] = useState('')
  const [problem, setProblem] = useState<string>()
  const [confirmDestinations, setConfirmDestinations] = useState(false)
  const reading = useRef(false)
  const preview = useTransfer<ImportBody, ConfigImportPreview>({
    path: postConfigImportPreview.path,
    texts,
    onSuccess: () => {},
    onTokenNeeded: (reason) =>
      setRequest({ reason, retry: () => preview.variables && preview.mutate(preview.variables) }),
  })
  const transfer = useTransfer<ImportBody & { confirmDestinations?: true }, ConfigImportReply>({
    path: postConfigImport.path,
    texts,
    onSuccess({ notes }) {
      keepImportNotes(notes)
      toast.success('Configuration imported successfully. Reloading...', reloadAfterMs)
      setTimeout(() => window.location.reload(), reloadAfterMs)
      onClose()
    },
    onTokenNeeded: (reason) =>
      setRequest({ reason, retry: () => transfer.variables && transfer.mutate(transfer.variables) }),
  })

  useDialogBusy(preview.isPending || transfer.isPending)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (reading.current) return
    reading.current = true
    const read = await readImport(passphrase, file)
    reading.current = false
    setProblem(read.problem)
    if (read.body) preview.mutate(read.body)
  }
  const importNow = (event: MouseEvent) => {
    // ignores the second click of a double click on "Import", before the user can have read the preview
    const unseen = event.detail > 1
    if (unseen || !preview.variables) return
    transfer.mutate({ ...preview.variables, ...(confirmDestinations && { confirmDestinations }) })
  }
  const goBack = () => {
    preview.reset()
    transfer.reset()
    setConfirmDestinations(false)
    setFile(undefined)
  }

  return (
    <>
      {preview.data ? (
        <div className="flex flex-col gap-3">
          <ImportPreview preview={preview.data} />
          {preview.data.destinations.length + preview.data.allowedHosts.length > 0 && (
            <Checkbox
              {...confirmationOf(preview.data)}
              checked={confirmDestinations}
              onChange={setConfirmDestinations}
            />
          )}
          <Failure text={transfer.failure} />
          <DialogActions>
            <Button disabled={transfer.isPending} onClick={goBack}>
              Back
            </Button>
            <Button variant="primary" disabled={transfer.isPending} onClick={importNow}>
              {transfer.isPending ? 'Importing...' : 'Import now'}
            </Button>
          </DialogActions>
        </div>
      ) : (
        <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
          <FileField onChange={setFile} />
          <TextField
            label="Backup password"
            type="password"
            value={passphrase}
            onChange={setPassphrase}
            hint="The password or passphrase the file was exported with. What it would change is shown before anything happens."
            autoComplete="off"
          />
          <Failure text={problem ?? preview.failure} />
          <DialogActions>
            <DialogCancel onClick={onClose} />
            <Button type="submit" variant="primary" disabled={preview.isPending}>
              {preview.isPending ? 'Reading...' : 'Import'}
            </Button>
          </DialogActions>
        </form>
      )}
      <TokenPrompt request={request} onClose={() => setRequest(undefined)} />
    </>
  )
}

function Failure({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <Notice tone="red" announce>
      {text}
    </Notice>
  )
}

async function readImport(
  passphrase: string,
  file: File | undefined,
): Promise<{ problem?: string; body?: ImportBody }> {
  if (!passphrase) return { problem: 'Please enter the password' }
  if (!file) return { problem: 'Please select a file to import' }
  try {
    return { body: { passphrase, data: importData(await file.text()) } }
  } catch {
    return { problem: 'Invalid JSON file format' }
  }
}

function FileField({ onChange }: { onChange: (file: File | undefined) => void }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-table font-medium text-ink">
        Configuration file
      </label>
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        onChange={(event) => onChange(event.target.files?.[0])}
        className="w-full min-w-0 rounded-md border border-control bg-surface text-table text-ink-2 file:mr-3 file:h-9 file:border-0 file:border-r file:border-control file:bg-sunken file:px-3 file:text-table file:font-medium file:text-ink"
      />
    </div>
  )
}

/** Words the confirmation for destinations, allowed hosts, or both. */
function confirmationOf({ destinations, allowedHosts }: ConfigImportPreview) {
  if (destinations.length === 0)
    return { label: 'Allow calls to the new hosts', hint: 'Unless checked, the new hosts are left out.' }
  const hint = 'Unless checked, they are imported disabled.'
  return {
    label: 'Send alerts to the new destinations',
    hint: allowedHosts.length === 0 ? hint : `${hint.slice(0, -1)}, and the new hosts are left out.`,
  }
}
