import { Download, Upload } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'

/** Export and import of the configuration, each with its dialog. */
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
