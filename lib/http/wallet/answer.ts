import { IdentityError, kitError } from '../../errors.js';
import { rowOf } from '../../flow/flow.js';
import { readBrowserAnswer } from '../../service/wallets/answer.js';
import { deliver } from '../callback.js';
import { type Exchange, isFromThisApp } from '../context.js';
import { sendError } from '../send-page.js';
import { sendFault, sendOn, standingOf } from './page.js';

/**
 * `POST /answer`: the script of the page that waits posts what the browser has brought from a wallet. It is taken from this
 * app's page alone, in the session that owns the flow, and becomes what every answer becomes; then the page leads on, or
 * shows a notice and stays.
 */
export async function receiveAnswer(exchange: Exchange): Promise<void> {
  try {
    if (!isFromThisApp(exchange)) {
      throw kitError('cross_site', {
        message:
          'A page of another origin sent this: only the wallet page posts what the browser has brought.',
      });
    }
    const standing = await standingOf(exchange);
    if (standing.kind === 'foreign') throw new IdentityError('state_unknown');
    if (standing.kind === 'waits') {
      const { state, stored } = standing;
      const { record, id } = stored;
      const { transition, error } = await deliver(exchange, (body) =>
        readBrowserAnswer(body, state, record.origin),
      );
      if (error !== undefined && rowOf(transition).answer === 'problem') {
        await sendError(exchange, error, { own: { ...record, id } });
        return;
      }
    }
    await sendOn(exchange);
  } catch (error) {
    await sendFault(exchange, error);
  }
}
