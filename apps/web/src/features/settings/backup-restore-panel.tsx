import { TransferButtons } from './transfer/transfer-buttons.tsx'
import { ImportNotes } from './transfer/import-notes.tsx'
import { Panel } from '../../ui/panel.tsx'

/** Stands in two sections: those who back up think of the system, those who move think of secrets. */
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
