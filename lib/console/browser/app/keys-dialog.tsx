import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { keyActions } from './keys.ts'

/** The keys that do something on this page: those of the search, then the page's own, then all others. */
export const KeysDialog = ({ close }: { close: () => void }) => (
  <Dialog title={words.common.keys} close={close}>
    <dl class="keys">
      <div>
        <dt>
          <kbd>Ctrl</kbd> <kbd>K</kbd>
        </dt>
        <dd>{words.common.search}</dd>
      </div>
      {keyActions.value.toReversed().map(({ keys, does }) => (
        <div key={`${keys} ${does}`}>
          <dt>
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
