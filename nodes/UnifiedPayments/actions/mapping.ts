import type { INodeProperties, ResourceMapperFields } from 'n8n-workflow';

import { create as createCollection } from './collection/create.operation';
import { columnsOf, mapperFields } from '../rows/sheet';
import { create as createPaymentLink } from './paymentLink/create.operation';

const mapping = ({ properties }: { properties: INodeProperties[] }) => {
	const fields = mapperFields(columnsOf(properties));
	return async (): Promise<ResourceMapperFields> => fields;
};

/** What the editor offers when columns are mapped by hand, by the name of the method it asks. */
export const getCollectionColumns = mapping(createCollection);
export const getPaymentLinkColumns = mapping(createPaymentLink);
