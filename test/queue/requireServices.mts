import { requireServices } from '../../host/n8n/queue/services.mts';

/** Before the first test: without Redis and PostgreSQL there is nothing to test, which is no success. */
export default requireServices;
