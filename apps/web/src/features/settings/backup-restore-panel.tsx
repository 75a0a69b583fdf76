import { Download, Upload } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ExportDialog } from './transfer/export-dialog.tsx'
import { ImportDialog } from './transfer/import-dialog.tsx'
import { ImportNotes } from './transfer/import-notes.tsx'
import { Panel } from '../../ui/panel.tsx'

/** Part of two sections: users look for backups under System and for secrets under Security. */
export function BackupRestorePanel() {
  return (
    <Panel
      title="Backup & restore"
      description="The whole configuration in one encrypted file: nodes with their secrets, settings, accounts, API tokens, single sign-on and guest URLs."
      action={<TransferButtons />}
    >
      <ImportNotes />
      <p className="text-table text-ink-2">
        Store the file and its passphrase separately. The file cannot be read without the passphrase.
      </p>
    </Panel>
  )
}

/** Buttons for export and import of the configuration, with their dialogs. */
export function TransferButtons() {
  const [dialog, setDialog] = useState<'export' | 'import'>()
  const close = () => setDialog(undefined)
  return (
    <span className="flex flex-wrap gap-2">
      <Button onClick={() => setDialog('export')}>
        <Download aria-hidden size={14} />
        Export
      </Button>
      <Button onClick={() => setDialog('import')}>
        <Upload aria-hidden size={14} />
        Import
      </Button>
      <ExportDialog open={dialog === 'export'} onClose={close} />
      <ImportDialog open={dialog === 'import'} onClose={close} />
    </span>
  )
}
