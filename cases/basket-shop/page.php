<?php
// Pages of the shop.

function render_page(string $visitor, array $basket): string
{
    $rows = array_map(fn ($item) => "<tr><td>Article {$item['article']}</td><td>{$item['count']}</td></tr>", $basket['items']);
    return "<html><body><h1>Basket of $visitor</h1><table>" . implode("\n", $rows) . '</table></body></html>';
}
